// etcd and kube-apiserver of an installed package, each for a process of its own: `server.cjs etcd --data-dir=…`. As
// kubectl's, their modules come out of one file with bytecode.
'use strict';

const path = require('node:path');
const { openPack } = require('./kubectl.cjs');

void openPack(path.join(__dirname, '../lib/servers.pack')).load('servers.cjs').main(process.argv.slice(2));
