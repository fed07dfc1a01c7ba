// etcd and kube-apiserver of an installed package, each for a process of its own: `server.cjs etcd --data-dir=…`. As
// kubectl's, their modules come out of one file with bytecode.
'use strict';

// lmdb brings along an encoder whose native half takes long to find, and everything here is bytes already.
process.env.MSGPACKR_NATIVE_ACCELERATION_DISABLED ??= 'true';

const path = require('node:path');
const { openPack } = require('./kubectl.cjs');

void openPack(path.join(__dirname, '../lib/servers.pack')).load('servers.cjs').main(process.argv.slice(2));
