import { createHash } from 'node:crypto';

/** The kernel takes 255; nft of Debian 12 cuts comments and some names at 127. */
const nameLengthMax = 120;
const hashLength = 10;

/** `policy-ingress-4f0c1a2b3d-default/web`: a hash tells long names apart that were cut. */
export const stableName = (kind: string, identity: string, readable = ''): string =>
  `${kind}-${createHash('sha256').update(identity).digest('hex').slice(0, hashLength)}${readable === '' ? '' : `-${readable}`}`.slice(
    0,
    nameLengthMax,
  );
