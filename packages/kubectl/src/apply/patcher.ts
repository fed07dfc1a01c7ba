/** Client-side apply of an existing object. */
import { runStep, StatusError, type KubeObject } from '@coxswain/apimachinery';
import { hiddenValue, holdsSecrets } from '@coxswain/api/core/secret-values.ts';
import { Confidential } from '@coxswain/apimachinery/confidential.ts';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { toJson } from '../encoding/json.ts';
import type { CommandContext } from '../context.ts';
import { sourced } from '../resource/with-source.ts';
import { patchesConflict } from '../patch/conflicts.ts';
import { patchSchemaOf } from '../patch/kind-schema.ts';
import { noPatchSchema, type PatchSchema } from '../patch/patch-schema.ts';
import { threeWayMergePatch, threeWayStrategicPatch } from '../patch/three-way.ts';
import type { PatchType, ResourceHelper, WriteOptions } from '../resource/resource-helper.ts';
import { mappingOf, objectOf, type Info } from '../resource/info.ts';
import { lastApplied } from './last-applied.ts';

type Json = Record<string, unknown>;

/** The number of retries after conflicts. */
const conflictRetriesMax = 5;
/** The pause before each attempt from the second retry on. */
const conflictPauseMs = 1000;

export interface ObjectPatch {
  readonly type: PatchType;
  readonly patch: Json;
}

/** Returns the patch from `current` to what `info` describes. */
export async function patchFor(
  context: CommandContext,
  info: Info,
  modified: KubeObject,
  current: KubeObject,
  overwrite = true,
): Promise<ObjectPatch> {
  const { group, version, kind } = mappingOf(info);
  const before = readLastApplied(current);
  const next = modified as unknown as Json;
  const live = current as unknown as Json;
  const schema = await patchSchemaOf(context, group, version, kind);
  // A kind without merge keys is a custom resource, which doesn't support strategic merge.
  if (schema === noPatchSchema || isCustomGroup(group)) {
    return { type: 'merge', patch: threeWayMergePatch(before, next, live) };
  }
  const patch = threeWayStrategicPatch(before, next, live, schema);
  if (!overwrite) refuseConflicts(context, { before, next, live }, patch, schema);
  return { type: 'strategic', patch };
}

interface ThreeWays {
  readonly before: Json;
  readonly next: Json;
  readonly live: Json;
}

/** @throws Error if others have changed what the patch changes */
function refuseConflicts(context: CommandContext, ways: ThreeWays, patch: Json, schema: PatchSchema): void {
  const { before, next, live } = ways;
  const changed = withoutOrder(threeWayStrategicPatch(before, live, before, schema));
  if (!patchesConflict(patch, changed, schema)) return;
  const [wanted, found] = [writeYaml(patch), writeYaml(changed)];
  const conflict = `patch:\n${wanted}\nconflicts with changes made from original to current:\n${found}\n`;
  // Upstream computes it three times, from three descriptions of the kind.
  for (const source of ['openapi v3 spec', 'openapi spec'])
    context.printError(`warning: error calculating patch from ${source}: ${conflict}\n`);
  const shown = [before, next, live].map((each) => toJson(each));
  throw new NoPatch(
    `creating patch with:\noriginal:\n${shown[0]}\n\nmodified:\n${shown[1]}\n\ncurrent:\n${shown[2]}\n\nfor: ${conflict}`,
  );
}

/** Changes by others are reported without the order of lists. */
const withoutOrder = (patch: Json): Json =>
  Object.fromEntries(
    Object.entries(patch)
      .filter(([key]) => !key.startsWith('$setElementOrder/'))
      .map(([key, value]) => [key, isObject(value) ? withoutOrder(value) : value]),
  );

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** No patch could be computed. */
class NoPatch extends Error {}

/** The server's own groups; all others come from definitions or aggregated servers. */
const isCustomGroup = (group: string): boolean =>
  group.includes('.') && !(group.endsWith('.k8s.io') && builtInGroups.has(group));

const builtInGroups = new Set(
  [
    'admissionregistration',
    'apiextensions',
    'apiregistration',
    'authentication',
    'authorization',
    'certificates',
    'coordination',
    'discovery',
    'events',
    'flowcontrol.apiserver',
    'internal.apiserver',
    'networking',
    'node',
    'rbac.authorization',
    'resource',
    'scheduling',
    'storage',
    'storagemigration',
  ].map((name) => `${name}.k8s.io`),
);

function readLastApplied(current: KubeObject): Json {
  const text = lastApplied(current);
  if (text === undefined) return {};
  return JSON.parse(text) as Json;
}

/** Patches the object, retrying after a conflict with its current state. */
export async function patchObject(
  context: CommandContext,
  helper: ResourceHelper,
  info: Info,
  current: KubeObject,
  options: WriteOptions & { readonly overwrite?: boolean },
): Promise<{ readonly patched: KubeObject; readonly changed: boolean }> {
  let live = current;
  for (let attempt = 0; ; attempt++) {
    const { type, patch } = await wantedPatch(context, info, live, options.overwrite);
    if (Object.keys(patch).length === 0) return { patched: live, changed: false };
    try {
      return { patched: await helper.patch(info.namespace, info.name, type, patch, options), changed: true };
    } catch (failure) {
      const isConflict = failure instanceof StatusError && failure.reason === 'Conflict';
      if (!isConflict || attempt >= conflictRetriesMax) throw explained(info, patch, failure);
      if (attempt > 0) await context.clock.sleep(conflictPauseMs, context.signal);
      live = await helper.get(info.namespace, info.name);
    }
  }
}

async function wantedPatch(
  context: CommandContext,
  info: Info,
  live: KubeObject,
  overwrite: boolean | undefined,
): Promise<ObjectPatch> {
  try {
    const { observer } = context.io;
    const compute = async () => {
      const computed = await patchFor(context, info, objectOf(info), live, overwrite);
      observer?.note?.({ type: computed.type, patch: reported(info, computed.patch) });
      return computed;
    };
    return await runStep(observer, 'three-way-patch', compute, undefined, patchFor);
  } catch (failure) {
    if (!(failure instanceof NoPatch)) throw failure;
    const reason = `error when patching "${info.source}": ${failure.message}`;
    const text = `error when applying patch:\n\nto:\n${describeInfo(info)}\nfor: "${info.source}": ${reason}`;
    throw new Error(text, { cause: failure });
  }
}

/** The data of Secrets is not recorded. */
const reported = (info: Info, patch: Json): unknown =>
  holdsSecrets(mappingOf(info)) ? new Confidential(() => hiddenValue, patch) : patch;

function explained(info: Info, patch: Json, failure: unknown): unknown {
  // The server's message about the object itself is clear without the patch.
  if (failure instanceof StatusError && failure.reason === 'Invalid') return failure;
  return sourced(
    `applying patch:\n${JSON.stringify(patch)}\nto:\n${describeInfo(info)}\nfor:`,
    info.source,
    failure,
  );
}

/** Describes the object as in apply's errors. */
export function describeInfo(info: Info): string {
  const { group, version, resource, kind } = mappingOf(info);
  const groupVersion = group === '' ? `/${version}` : `${group}/${version}`;
  return `Resource: "${groupVersion}, Resource=${resource}", GroupVersionKind: "${groupVersion}, Kind=${kind}"\nName: "${info.name}", Namespace: "${info.namespace}"`;
}
