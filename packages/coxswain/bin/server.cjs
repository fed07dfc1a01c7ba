// etcd and kube-apiserver of an installed package, each for a process of its own: `server.cjs etcd --data-dir=…`.
'use strict';

// lmdb brings along an encoder whose native half takes long to find, and everything here is bytes already.
process.env.MSGPACKR_NATIVE_ACCELERATION_DISABLED ??= 'true';

const { openPack } = require('./pack.cjs');

const args = process.argv.slice(2);
void openPack(args[0]).load('servers.cjs').main(args);
