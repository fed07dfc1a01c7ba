import { readFileSync } from 'node:fs';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { FlagFailure, valuesOf, type FlagValues } from './flags.ts';

/** The two sections in which flags have shorter names, with the prefixes that they omit. */
const sections: Readonly<Record<string, (name: string) => string>> = {
  'client-transport-security': (name) => clientNames[name] ?? name,
  'peer-transport-security': (name) => `peer-${peerNames[name] ?? name}`,
};
const clientNames: Readonly<Record<string, string>> = { 'allowed-hostname': 'client-cert-allowed-hostname' };
const peerNames: Readonly<Record<string, string>> = {
  'allowed-cn': 'cert-allowed-cn',
  'allowed-hostname': 'cert-allowed-hostname',
};
/** Fields that only etcd itself uses. */
const ignored = new Set(['socket-options', 'discovery-config', 'experimental-snapshot-catch-up-entries']);

/** Reads flags from a YAML file. @throws FlagFailure */
export function readConfigFile(path: string): FlagValues {
  const content = parsed(path);
  const given = new Map<string, string>();
  for (const [name, value] of Object.entries(content)) {
    const rename = sections[name];
    if (ignored.has(name) || value === null) continue;
    if (rename === undefined) given.set(name, textOf(name, value));
    else if (typeof value === 'object')
      for (const [inner, each] of Object.entries(value)) given.set(rename(inner), textOf(inner, each));
  }
  return valuesOf(given);
}

function parsed(path: string): Readonly<Record<string, unknown>> {
  try {
    const content: unknown = readYaml(readFileSync(path, 'utf8'));
    if (typeof content === 'object' && content !== null && !Array.isArray(content))
      return content as Record<string, unknown>;
  } catch (failure) {
    throw new FlagFailure(`the configuration file cannot be read: ${messageOf(failure)}`);
  }
  throw new FlagFailure(`the configuration file ${path} has no fields`);
}

/** In a file, durations are numbers of nanoseconds, and lists are lists or comma-separated text. */
function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => textOf(name, each)).join(',');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, each]) => `${key}=${String(each)}`)
      .join(',');
  if (typeof value === 'number' && /-(interval|time|duration|min-time|timeout)$/.test(name) && value >= 1e6)
    return `${value}ns`;
  return String(value ?? '');
}
