/** The folders in which a kubelet stores data on the machine. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { KubeletFolders } from './pod-paths.ts';
import type { RealKubeletOptions } from './config/real-kubelet-options.ts';

/** Creates those that other programs use. */
export function foldersOf({ rootFolder, settings, containerLogs }: RealKubeletOptions): KubeletFolders {
  for (const name of ['pods', 'plugins', 'plugins_registry', 'pod-resources', 'device-plugins'])
    mkdirSync(path.join(rootFolder, name), { recursive: true, mode: 0o750 });
  return {
    root: rootFolder,
    podLogs: settings.podLogsDir,
    containerLogs: containerLogs ?? '/var/log/containers',
  };
}
