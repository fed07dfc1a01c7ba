/** Checks the options of a cluster, for callers without a type checker. */

import { addonNames } from '../addons/addon-names.ts';
import type { CreateClusterOptions } from '../../types/testing.d.ts';
import { checkWords, shown } from './known-words.ts';

interface Meaning {
  readonly isMeant: (value: unknown) => boolean;
  readonly words: string;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTable = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one) => typeof one === 'boolean');
const isWhole = (value: unknown, max: number): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;
const seedMax = 2 ** 32 - 1;
const portMax = 65_535;
const namePattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

const yesOrNo = { isMeant: (value: unknown) => typeof value === 'boolean', words: 'true or false' };

const meanings = {
  controllers: {
    isMeant: (value) => value === false || (Array.isArray(value) && value.every(isText)),
    words: "a list such as ['*', '-job-controller'], or false for none",
  },
  nodes: {
    isMeant: (value) => Array.isArray(value) || isWhole(value, Number.MAX_SAFE_INTEGER),
    words: 'the number of nodes or a list of them',
  },
  stages: { isMeant: isText, words: 'YAML with kwok stages' },
  scheduler: yesOrNo,
  schedulerConfiguration: { isMeant: isText, words: 'YAML with a KubeSchedulerConfiguration' },
  schedulerPlugins: { isMeant: Array.isArray, words: 'a list of plugins, objects with a name and functions' },
  metrics: yesOrNo,
  networkPolicies: yesOrNo,
  addons: {
    isMeant: (value) => Array.isArray(value) && value.every(isText),
    words: `some of ${addonNames.join(', ')}`,
  },
  version: { isMeant: isText, words: 'a version of Kubernetes such as "1.34"' },
  featureGates: { isMeant: isTable, words: 'such as { SomeGate: true }' },
  versions: { isMeant: isTable, words: "such as { 'batch/v1': false }" },
  clock: { isMeant: (value) => value === 'virtual' || value === 'system', words: '"virtual" or "system"' },
  startTime: {
    isMeant: (value) =>
      (value instanceof Date || typeof value === 'string') && !Number.isNaN(new Date(value).getTime()),
    words: 'a Date or a string such as 2026-01-01T12:00:00Z',
  },
  from: {
    isMeant: (value) => value instanceof Uint8Array,
    words: 'the bytes that cluster.export() has made',
  },
  seed: { isMeant: (value) => isWhole(value, seedMax), words: `a whole number from 0 to ${seedMax}` },
  port: {
    isMeant: (value) => isWhole(value, portMax),
    words: `a whole number from 0 to ${portMax}; 0 picks a free port`,
  },
  bindAddress: { isMeant: isText, words: 'the IP address to listen on' },
  namespace: {
    isMeant: (value) => typeof value === 'string' && namePattern.test(value),
    words: 'the name of a namespace',
  },
  log: { isMeant: (value) => typeof value === 'function', words: 'a function that receives lines' },
} satisfies Record<keyof CreateClusterOptions, Meaning>;

/** @throws TypeError for unknown options and invalid values */
export function checkOptions(options: CreateClusterOptions): void {
  checkWords('createCluster', options, Object.keys(meanings));
  for (const [name, { isMeant, words }] of Object.entries<Meaning>(meanings)) {
    const value = options[name as keyof CreateClusterOptions];
    if (value !== undefined && !isMeant(value))
      throw new TypeError(`${name} must be ${words}, not ${shown(value)}`);
  }
}
