/** Ranges of addresses for the pods of a test, each of one test only, whatever else runs on this machine. */
import { execFileSync, spawnSync } from 'node:child_process';

/** 10.150.0.0/24 to 10.249.255.0/24. */
const firstBlock = 150;
const blocks = 100;
const rangesInBlock = 256;
/** Routes with less of it win: that of the network itself, once it is there. */
const lowestPriority = '4294967295';

export interface AddressRange {
  /** `10.200.7.0/24` */
  readonly cidr: string;
  release(): void;
}

/**
 * Takes a range that nobody on this machine has. A route that leads nowhere marks it as taken: the kernel accepts the
 * second one for a range from nobody, neither another thread nor another process.
 */
export function claimAddressRange(): AddressRange {
  const first = Math.floor(Math.random() * blocks * rangesInBlock);
  for (let step = 0; step < blocks * rangesInBlock; step++) {
    const index = (first + step) % (blocks * rangesInBlock);
    const cidr = `10.${firstBlock + Math.floor(index / rangesInBlock)}.${index % rangesInBlock}.0/24`;
    const route = ['unreachable', cidr, 'metric', lowestPriority];
    if (isRouted(cidr) || spawnSync('ip', ['route', 'add', ...route]).status !== 0) continue;
    return { cidr, release: () => void spawnSync('ip', ['route', 'delete', ...route]) };
  }
  throw new Error('every range of addresses for pods of tests is taken: see `ip route`');
}

/** Also where somebody has a part of it. */
const isRouted = (cidr: string): boolean =>
  execFileSync('ip', ['route', 'show', 'root', cidr], { encoding: 'utf8' }).trim() !== '';
