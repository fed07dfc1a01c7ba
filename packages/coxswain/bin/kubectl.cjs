// kubectl of an installed package, for a process of its own.
'use strict';

const { openPack } = require('./pack.cjs');

// Kept from Node by the script that starts this: reading it takes long, and few commands need it.
const { COXSWAIN_EXTRA_CA_CERTS: certificates } = process.env;
if (certificates) {
  delete process.env.COXSWAIN_EXTRA_CA_CERTS;
  process.env.NODE_EXTRA_CA_CERTS = certificates;
}
void openPack('kubectl').load('kubectl.cjs').main(process.argv.slice(2));
