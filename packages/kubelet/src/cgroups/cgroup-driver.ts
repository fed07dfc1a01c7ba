/** Control groups as files: version 1 has a tree for each controller, version 2 one for all. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** undefined leaves as it is. */
export interface CgroupLimits {
  readonly cpuShares?: number | undefined;
  /** -1 for no bound. */
  readonly cpuQuotaUs?: number | undefined;
  readonly cpuPeriodUs?: number | undefined;
  /** -1 for no bound. */
  readonly memoryBytes?: number | undefined;
  readonly pidsMax?: number | undefined;
}

export interface CgroupDriver {
  readonly version: 1 | 2;
  /** Makes the group, and those above it, where they are not. */
  create(group: string, limits: CgroupLimits): Promise<void>;
  update(group: string, limits: CgroupLimits): Promise<void>;
  /** Of the group and all below it. */
  processes(group: string): Promise<readonly number[]>;
  /** Those below first. @throws the file system's error while processes are left */
  remove(group: string): Promise<void>;
  /** Names of the groups right below. */
  children(group: string): Promise<readonly string[]>;
}

export const cgroupMount = '/sys/fs/cgroup';

export const cgroupDriver = (mount = cgroupMount): CgroupDriver =>
  existsSync(path.join(mount, 'cgroup.controllers')) ? new CgroupV2(mount) : new CgroupV1(mount);

/** The controllers of version 1 in which pods have groups; those that the machine lacks are left out. */
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

  /** Each controller at once, since each step waits for the kernel. */
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
    return first === undefined ? [] : foldersIn(path.join(first.root, group));
  }
}

/** Those that the controller of version 1 keeps. */
async function writeLimits(controller: string, folder: string, limits: CgroupLimits): Promise<void> {
  const { cpuShares, cpuQuotaUs, cpuPeriodUs, memoryBytes, pidsMax } = limits;
  const set = async (file: string, value: number | string | undefined) => {
    if (value !== undefined) await writeFile(path.join(folder, file), String(value));
  };
  if (controller === 'cpu') {
    await set('cpu.shares', cpuShares);
    // The period first: a quota is a part of it.
    await set('cpu.cfs_period_us', cpuPeriodUs);
    await set('cpu.cfs_quota_us', cpuQuotaUs === 0 ? -1 : cpuQuotaUs);
  } else if (controller === 'memory')
    await set('memory.limit_in_bytes', memoryBytes === 0 ? -1 : memoryBytes);
  else if (controller === 'pids') await set('pids.max', pidsMax === -1 ? 'max' : pidsMax);
}

const cpusetFiles = ['cpuset.cpus', 'cpuset.mems'];

/** A new group of the cpuset controller has no processors, and so can't hold a process, until it is given some. */
async function inheritCpuset(root: string, group: string): Promise<void> {
  await Promise.all(cpusetFiles.map((file) => inherited(root, group, file)));
}

/** What the group has, or else what those above it have, which is written down to it. */
async function inherited(root: string, group: string, file: string): Promise<string> {
  const place = path.join(root, group, file);
  const own = await readFile(place, 'utf8');
  const above = path.dirname(group);
  if (own.trim() !== '' || above === group) return own;
  const given = await inherited(root, above, file);
  await writeFile(place, given);
  return given;
}

/** Controllers that are handed down to groups of pods. */
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
    return foldersIn(path.join(this.#mount, group));
  }
}

/** 2…262144 shares on the scale of 1…10000 weights. */
const cpuWeight = (shares: number): number =>
  Math.floor(1 + ((Math.max(2, shares) - 2) * (weightMax - 1)) / 262_142);

async function handDown(folder: string): Promise<void> {
  const has = (await readFile(path.join(folder, 'cgroup.controllers'), 'utf8')).trim().split(' ');
  const given = (await readFile(path.join(folder, 'cgroup.subtree_control'), 'utf8')).trim().split(' ');
  for (const controller of handedDown)
    if (has.includes(controller) && !given.includes(controller))
      await writeFile(path.join(folder, 'cgroup.subtree_control'), `+${controller}`);
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(noneIfAbsent);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function processesBelow(folder: string): Promise<number[]> {
  const text = await readFile(path.join(folder, 'cgroup.procs'), 'utf8').catch(() => '');
  const own = text.split('\n').filter(Boolean).map(Number);
  const below = await Promise.all(
    (await foldersIn(folder)).map((name) => processesBelow(path.join(folder, name))),
  );
  return [...own, ...below.flat()];
}

async function removeBelow(folder: string): Promise<void> {
  for (const name of await foldersIn(folder)) await removeBelow(path.join(folder, name));
  await rmdir(folder).catch(noneIfAbsent);
}

function noneIfAbsent(error: unknown): never[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw error;
}
