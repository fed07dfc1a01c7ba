/** `--custom`: a partial container from a file, merged into the debugging container. */
import { readFailureText } from '@coxswain/apimachinery/system-message.ts';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import type { CommandContext } from '../context.ts';
import { noPatchSchema, type PatchRule, type PatchSchema } from '../patch/patch-schema.ts';
import { applyStrategicPatch } from '../patch/strategic-apply.ts';
import type { DebugContainer } from './debug-pod.ts';

export type CustomProfile = Readonly<Record<string, unknown>>;

/** The merge keys of a container's lists. */
const mergeKeys: Readonly<Record<string, string>> = {
  env: 'name',
  ports: 'containerPort',
  volumeDevices: 'devicePath',
  volumeMounts: 'mountPath',
};

const containerSchema: PatchSchema = {
  field: (name): PatchRule => ({
    strategies: name in mergeKeys ? ['merge'] : [],
    mergeKey: mergeKeys[name],
    child: noPatchSchema,
  }),
};

/** @throws Error if the file can't be read or doesn't contain a container */
export async function readCustomProfile(context: CommandContext, file: string): Promise<CustomProfile> {
  let text: string;
  try {
    text = await readFile(resolve(context.io.workingDirectory, file), 'utf8');
  } catch (failure) {
    const why = readFailureText(file, failure);
    throw new Error(`must pass a container spec json file for custom profile: ${why}`, { cause: failure });
  }
  const invalid = (why: string) => new Error(`${file} does not contain a valid container spec: ${why}`);
  let value: unknown;
  try {
    value = readYaml(text);
  } catch (failure) {
    throw invalid(`error converting YAML to JSON: yaml: ${messageOf(failure)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as CustomProfile;
  if (value === null || value === undefined) return {};
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  throw invalid(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${type} into Go value of type v1.Container`,
  );
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** @throws Error if it sets what the command line sets */
export function checkCustomProfile(custom: CustomProfile): void {
  if (['name', 'command', 'image', 'lifecycle', 'volumeDevices'].some((field) => isGiven(custom[field])))
    throw new Error(
      'name, command, image, lifecycle and volume devices are not modifiable via custom profile',
    );
}

export const customised = (container: DebugContainer, custom: CustomProfile): DebugContainer =>
  applyStrategicPatch(container, { ...custom, name: container.name }, containerSchema) as DebugContainer;
