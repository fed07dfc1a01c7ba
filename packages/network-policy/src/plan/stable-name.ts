import { createHash } from 'node:crypto';

/** The kernel accepts 255; nft of Debian 12 truncates comments and some names at 127. */
const nameLengthMax = 120;
const hashLength = 10;

/** `policy-ingress-4f0c1a2b3d-default/web`: the hash distinguishes long names that were truncated. */
export const stableName = (kind: string, identity: string, readable = ''): string =>
  `${kind}-${createHash('sha256').update(identity).digest('hex').slice(0, hashLength)}${readable === '' ? '' : `-${readable}`}`.slice(
    0,
    nameLengthMax,
  );
