/* What to say to somebody. A static string. */
const char *tiny_greeting(void);
