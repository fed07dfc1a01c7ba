/** Manages cgroups through their files: version 1 has a hierarchy per controller, version 2 a single one. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Undefined values are left unchanged. */
export interface CgroupLimits {
  readonly cpuShares?: number | undefined;
  /** -1 for no limit. */
  readonly cpuQuotaUs?: number | undefined;
  readonly cpuPeriodUs?: number | undefined;
  /** -1 for no limit. */
  readonly memoryBytes?: number | undefined;
  readonly pidsMax?: number | undefined;
}

export interface CgroupDriver {
  readonly version: 1 | 2;
  /** Creates the group and its missing ancestors. */
  create(group: string, limits: CgroupLimits): Promise<void>;
  update(group: string, limits: CgroupLimits): Promise<void>;
  /** The processes of the group and its descendants. */
  processes(group: string): Promise<readonly number[]>;
  /** Removes the descendants first. @throws the file system's error while there are processes */
  remove(group: string): Promise<void>;
  /** The names of the direct child groups. */
  children(group: string): Promise<readonly string[]>;
}

export const cgroupMount = '/sys/fs/cgroup';

export const cgroupDriver = (mount = cgroupMount): CgroupDriver =>
  existsSync(path.join(mount, 'cgroup.controllers')) ? new CgroupV2(mount) : new CgroupV1(mount);

/** The controllers of version 1 in which pods have groups; missing ones are skipped. */
const controllers = [
  'cpu',
  'cpuacct',
  'cpuset',
  'memory',
  'devices',
  'freezer',
  'blkio',
  'pids',
  'hugetlb',
  'systemd',
  'unified',
];

class CgroupV1 implements CgroupDriver {
  readonly version = 1;
  readonly #roots: readonly { readonly controller: string; readonly root: string }[];

  constructor(mount: string) {
    this.#roots = controllers
      .map((controller) => ({ controller, root: path.join(mount, controller) }))
      .filter(({ root }) => existsSync(root));
  }

  /** Handles all controllers concurrently, since each step waits for the kernel. */
  async create(group: string, limits: CgroupLimits): Promise<void> {
    await Promise.all(
      this.#roots.map(async ({ controller, root }) => {
        await mkdir(path.join(root, group), { recursive: true });
        if (controller === 'cpuset') await inheritCpuset(root, group);
        await writeLimits(controller, path.join(root, group), limits);
      }),
    );
  }

  async update(group: string, limits: CgroupLimits): Promise<void> {
    await Promise.all(
      this.#roots.map(({ controller, root }) => writeLimits(controller, path.join(root, group), limits)),
    );
  }

  async processes(group: string): Promise<readonly number[]> {
    const all = await Promise.all(this.#roots.map(({ root }) => processesBelow(path.join(root, group))));
    return [...new Set(all.flat())];
  }

  async remove(group: string): Promise<void> {
    await Promise.all(this.#roots.map(({ root }) => removeBelow(path.join(root, group))));
  }

  async children(group: string): Promise<readonly string[]> {
    const first = this.#roots.find(({ controller }) => controller === 'memory') ?? this.#roots[0];
    return first === undefined ? [] : directoriesIn(path.join(first.root, group));
  }
}

/** Writes the limits that belong to a controller of version 1. */
async function writeLimits(controller: string, directory: string, limits: CgroupLimits): Promise<void> {
  const { cpuShares, cpuQuotaUs, cpuPeriodUs, memoryBytes, pidsMax } = limits;
  const set = async (file: string, value: number | string | undefined) => {
    if (value !== undefined) await writeFile(path.join(directory, file), String(value));
  };
  if (controller === 'cpu') {
    await set('cpu.shares', cpuShares);
    // The period first, since the quota is relative to it.
    await set('cpu.cfs_period_us', cpuPeriodUs);
    await set('cpu.cfs_quota_us', cpuQuotaUs === 0 ? -1 : cpuQuotaUs);
  } else if (controller === 'memory')
    await set('memory.limit_in_bytes', memoryBytes === 0 ? -1 : memoryBytes);
  else if (controller === 'pids') await set('pids.max', pidsMax === -1 ? 'max' : pidsMax);
}

const cpusetFiles = ['cpuset.cpus', 'cpuset.mems'];

/** A new cpuset group has no processors, and can't hold a process until it is given some. */
async function inheritCpuset(root: string, group: string): Promise<void> {
  await Promise.all(cpusetFiles.map((file) => inherited(root, group, file)));
}

/** Returns the group's own value, or the nearest ancestor's, which is copied down. */
async function inherited(root: string, group: string, file: string): Promise<string> {
  const place = path.join(root, group, file);
  const own = await readFile(place, 'utf8');
  const above = path.dirname(group);
  if (own.trim() !== '' || above === group) return own;
  const given = await inherited(root, above, file);
  await writeFile(place, given);
  return given;
}

/** Controllers that are delegated to the groups of pods. */
const handedDown = ['cpu', 'cpuset', 'io', 'memory', 'hugetlb', 'pids'];
const weightMax = 10_000;

class CgroupV2 implements CgroupDriver {
  readonly version = 2;
  readonly #mount: string;

  constructor(mount: string) {
    this.#mount = mount;
  }

  async create(group: string, limits: CgroupLimits): Promise<void> {
    let at = this.#mount;
    for (const name of group.split('/').filter(Boolean)) {
      await handDown(at);
      at = path.join(at, name);
      await mkdir(at, { recursive: true });
    }
    await this.update(group, limits);
  }

  async update(group: string, limits: CgroupLimits): Promise<void> {
    const { cpuShares, cpuQuotaUs, cpuPeriodUs = 100_000, memoryBytes, pidsMax } = limits;
    const set = (file: string, value: string) => writeFile(path.join(this.#mount, group, file), value);
    if (cpuShares !== undefined) await set('cpu.weight', String(cpuWeight(cpuShares)));
    if (cpuQuotaUs !== undefined)
      await set('cpu.max', `${cpuQuotaUs > 0 ? cpuQuotaUs : 'max'} ${cpuPeriodUs}`);
    if (memoryBytes !== undefined) await set('memory.max', memoryBytes > 0 ? String(memoryBytes) : 'max');
    if (pidsMax !== undefined) await set('pids.max', pidsMax === -1 ? 'max' : String(pidsMax));
  }

  processes(group: string): Promise<readonly number[]> {
    return processesBelow(path.join(this.#mount, group));
  }

  remove(group: string): Promise<void> {
    return removeBelow(path.join(this.#mount, group));
  }

  children(group: string): Promise<readonly string[]> {
    return directoriesIn(path.join(this.#mount, group));
  }
}

/** Converts shares (2…262144) to weights (1…10000). */
const cpuWeight = (shares: number): number =>
  Math.floor(1 + ((Math.max(2, shares) - 2) * (weightMax - 1)) / 262_142);

async function handDown(directory: string): Promise<void> {
  const has = (await readFile(path.join(directory, 'cgroup.controllers'), 'utf8')).trim().split(' ');
  const given = (await readFile(path.join(directory, 'cgroup.subtree_control'), 'utf8')).trim().split(' ');
  for (const controller of handedDown)
    if (has.includes(controller) && !given.includes(controller))
      await writeFile(path.join(directory, 'cgroup.subtree_control'), `+${controller}`);
}

async function directoriesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(noneIfAbsent);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function processesBelow(directory: string): Promise<number[]> {
  const text = await readFile(path.join(directory, 'cgroup.procs'), 'utf8').catch(() => '');
  const own = text.split('\n').filter(Boolean).map(Number);
  const below = await Promise.all(
    (await directoriesIn(directory)).map((name) => processesBelow(path.join(directory, name))),
  );
  return [...own, ...below.flat()];
}

async function removeBelow(directory: string): Promise<void> {
  for (const name of await directoriesIn(directory)) await removeBelow(path.join(directory, name));
  await rmdir(directory).catch(noneIfAbsent);
}

function noneIfAbsent(error: unknown): never[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw error;
}
