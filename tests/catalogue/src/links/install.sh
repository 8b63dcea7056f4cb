#!/bin/sh
# install.sh ROOT: makes what no list of files shows at a glance.
set -e
dir=$1/usr/share/links
mkdir -p "$dir/deep/er" "$1/lib"
echo one >"$dir/one"
ln "$dir/one" "$dir/another name of one"
ln "$dir/one" "$dir/deep/er/third"
ln -s one "$dir/symbolic"
echo 'in a directory that is a symlink in the prefix' >"$1/lib/links-data"
ln -s ../usr/share/links/one "$1/lib/links-symlink"
touch -t 200102030405.06 "$dir/one"
