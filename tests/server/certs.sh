#!/bin/sh
# certs.sh DIR: a private CA (ca.pem) and certificates for 127.0.0.1 made by it: good, expired, and one
# for another host (name), each DIR/NAME.pem with DIR/NAME.key. Needs openssl; status 77 without it.
set -eu
command -v openssl >/dev/null || exit 77
cd "$1"
mkdir -p db
: >db/index.txt
echo 01 >db/serial
cat >ca.cnf <<'CNF'
[ca]
default_ca = here
[here]
database = db/index.txt
serial = db/serial
new_certs_dir = db
certificate = ca.pem
private_key = ca.key
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = name
[name]
CNF

key() {
	openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"
}

# sign NAME SUBJECT-ALT-NAME [options of openssl ca]
sign() {
	sign_name=$1
	key "$sign_name"
	printf 'subjectAltName = %s\n' "$2" >"$sign_name.ext"
	shift 2
	openssl req -new -config ca.cnf -key "$sign_name.key" -subj "/CN=$sign_name" -out "$sign_name.csr"
	openssl ca -batch -notext -config ca.cnf -in "$sign_name.csr" -extfile "$sign_name.ext" \
		-out "$sign_name.pem" "$@"
}

{
	key ca
	openssl req -x509 -new -config ca.cnf -key ca.key -subj /CN=ca -days 30 \
		-addext basicConstraints=critical,CA:TRUE -out ca.pem
	sign good IP:127.0.0.1 -days 10
	sign expired IP:127.0.0.1 -startdate 200101000000Z -enddate 200201000000Z
	sign name DNS:other.example -days 10
} 2>openssl.log
