#!/bin/sh
# Runs `npm start`. Node cannot replace its own process before 22.15, but a shell can. The launcher's process on an
# older Node therefore ends before the server starts, and only the server remains.
bin=$(dirname "$0")
node=node
case $(node --version) in
  v18.* | v19.* | v2[0-3].*) node=$(node "$bin/launcher/print-node.mjs" "$@") || exit ;;
esac
exec "$node" "$bin/factotum.mjs" "$@"
