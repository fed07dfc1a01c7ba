/** Properties of this machine, from the kernel's files. */
import { readFileSync, readdirSync, existsSync, statfsSync } from 'node:fs';
import { availableParallelism, networkInterfaces, release } from 'node:os';
import path from 'node:path';
import type { MachineLimits } from '../resources/linux-resources.ts';

export interface Machine {
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly swapBytes: number;
  /** By the API's notation of their size: `2Mi`. */
  readonly hugepages: Readonly<Record<string, number>>;
  readonly machineId: string;
  readonly systemUuid: string;
  readonly bootId: string;
  readonly kernelVersion: string;
  readonly osImage: string;
  readonly architecture: 'amd64' | 'arm64';
}

export function readMachine(): Machine {
  const memory = memoryInfo();
  return {
    cpus: availableParallelism(),
    memoryBytes: memory.get('MemTotal') ?? 0,
    swapBytes: memory.get('SwapTotal') ?? 0,
    hugepages: hugepages(),
    machineId: firstText('/etc/machine-id', '/var/lib/dbus/machine-id'),
    systemUuid: firstText('/sys/class/dmi/id/product_uuid', '/etc/machine-id'),
    bootId: firstText('/proc/sys/kernel/random/boot_id'),
    kernelVersion: release(),
    osImage: osImage(),
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
  };
}

/** Bytes by name, from /proc/meminfo. */
export function memoryInfo(): ReadonlyMap<string, number> {
  const lines = readFileSync('/proc/meminfo', 'utf8').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const match = /^(\S+):\s+(\d+) kB$/.exec(line);
      return match === null ? [] : [[match[1]!, Number(match[2]) * 1024] as const];
    }),
  );
}

export interface FilesystemUse {
  readonly capacityBytes: number;
  readonly availableBytes: number;
  readonly inodes: number;
  readonly inodesFree: number;
}

/** The usage of the file system that contains `directory`. */
export function filesystemUse(directory: string): FilesystemUse {
  const { bsize, blocks, bavail, files, ffree } = statfsSync(nearest(directory));
  return { capacityBytes: blocks * bsize, availableBytes: bavail * bsize, inodes: files, inodesFree: ffree };
}

/** The directory itself, or its nearest existing ancestor. */
const nearest = (directory: string): string =>
  existsSync(directory) ? directory : nearest(path.dirname(directory));

export interface LimitSettings {
  readonly cpuCfsQuota: boolean;
  readonly cpuCfsQuotaPeriodUs: number;
  readonly killsGroup: boolean;
}

export function machineLimits(
  { memoryBytes, hugepages: pages }: Machine,
  settings: LimitSettings,
): MachineLimits {
  const isCgroupV2 = existsSync('/sys/fs/cgroup/cgroup.controllers');
  return {
    ...settings,
    memoryBytes,
    isCgroupV2,
    hugepageSizes: Object.keys(pages).map((size) => size.replace(/i$/, 'B')),
    limitsSwap: isCgroupV2
      ? existsSync(path.join('/sys/fs/cgroup', ownGroup(), 'memory.swap.max'))
      : existsSync('/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes'),
  };
}

const ownGroup = (): string => /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '';

/** Files about each processor's temperature, which are hidden from containers. */
export const thermalPaths = (): readonly string[] =>
  Array.from(
    { length: availableParallelism() },
    (_, cpu) => `/sys/devices/system/cpu/cpu${cpu}/thermal_throttle`,
  ).filter((file) => existsSync(file));

/** The address at which others reach this machine: that of the interface with the default route. */
export function defaultAddress(): string | undefined {
  const route = readFileSync('/proc/net/route', 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .find(([, destination]) => destination === '00000000');
  const interfaces = networkInterfaces();
  const candidates = [
    ...(interfaces[route?.[0] ?? ''] ?? []),
    ...Object.values(interfaces).flatMap((each) => each ?? []),
  ];
  return candidates.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

function hugepages(): Record<string, number> {
  const directory = '/sys/kernel/mm/hugepages';
  if (!existsSync(directory)) return {};
  const found = readdirSync(directory).flatMap((name) => {
    const kilobytes = Number(/^hugepages-(\d+)kB$/.exec(name)?.[1]);
    if (!Number.isFinite(kilobytes)) return [];
    const pages = Number(firstText(path.join(directory, name, 'nr_hugepages')) || 0);
    return [[sizeName(kilobytes), pages * kilobytes * 1024] as const];
  });
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sizeName(kilobytes: number): string {
  if (kilobytes % (1024 * 1024) === 0) return `${kilobytes / (1024 * 1024)}Gi`;
  return kilobytes % 1024 === 0 ? `${kilobytes / 1024}Mi` : `${kilobytes}Ki`;
}

function osImage(): string {
  const text = firstText('/etc/os-release', '/usr/lib/os-release');
  return /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(text)?.[1] ?? 'Linux';
}

function firstText(...files: readonly string[]): string {
  for (const file of files) {
    try {
      const text = readFileSync(file, 'utf8').trim();
      if (text !== '') return text;
    } catch {
      // Not available on this machine.
    }
  }
  return '';
}
