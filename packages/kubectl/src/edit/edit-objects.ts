/** `kubectl edit`: sends the user's changes as a patch. */
import type { KubeObject } from '@coxswain/apimachinery';
import { withConfiguration } from '../apply/last-applied.ts';
import type { CommandContext } from '../context.ts';
import { toJson } from '../encoding/json.ts';
import { patchSchemaOf } from '../patch/kind-schema.ts';
import { noPatchSchema } from '../patch/patch-schema.ts';
import { threeWayMergePatch, threeWayStrategicPatch } from '../patch/three-way.ts';
import type { Printer } from '../printers/printer.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import { mappingOf, objectOf, type Info } from '../resource/info.ts';
import { groupResourceOf } from '../mapping.ts';
import { IdentityChanged, runEditSession } from './session.ts';
import { recorded } from '../record/change-cause.ts';

export interface EditOptions {
  readonly output: string;
  readonly windowsLineEndings: boolean;
  readonly saveConfig: boolean;
  readonly outputPatch: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: string;
  readonly subresource: string;
  /** Prints an object with what happened to it. */
  printer(operation: string): Promise<Printer>;
}

type Json = Record<string, unknown>;

export async function editObjects(
  context: CommandContext,
  infos: readonly Info[],
  options: EditOptions,
): Promise<void> {
  const [first] = infos;
  if (first === undefined) throw new Error('edit cancelled, no objects found');
  await runEditSession(context, {
    objects: infos.map(objectOf),
    json: options.output === 'json',
    kyaml: options.output === 'kyaml',
    windowsLineEndings: options.windowsLineEndings,
    subject: `${groupResourceOf(mappingOf(first))} "${first.name}"`,
    async save(edited) {
      for (const object of edited) await saveOne(context, infos, object, options);
    },
  });
}

async function saveOne(
  context: CommandContext,
  infos: readonly Info[],
  edited: KubeObject,
  options: EditOptions,
): Promise<void> {
  const info = infos.find(
    ({ name, object }) =>
      name === edited.metadata?.name &&
      object?.kind === edited.kind &&
      object?.apiVersion === edited.apiVersion,
  );
  if (info === undefined) throw new IdentityChanged();
  const original = objectOf(info);
  const whole = {
    ...edited,
    metadata: {
      ...edited.metadata,
      ...(original.metadata.managedFields ? { managedFields: original.metadata.managedFields } : {}),
    },
  };
  const wanted = recorded(context, options.saveConfig ? withConfiguration(whole) : whole);
  const { group, version, kind } = mappingOf(info);
  const schema =
    group.includes('.') && !group.endsWith('.k8s.io')
      ? noPatchSchema
      : await patchSchemaOf(context, group, version, kind);
  const [before, after] = [original as unknown as Json, wanted as unknown as Json];
  const isMerge = schema === noPatchSchema;
  const patch = isMerge
    ? threeWayMergePatch(before, after, before)
    : threeWayStrategicPatch(before, after, before, schema);
  if (Object.keys(patch).length === 0) {
    context.print((await options.printer('skipped'))(original));
    return;
  }
  if (options.outputPatch) context.print(`Patch: ${toJson(patch)}\n`);
  const helper = new ResourceHelper(await context.client(), mappingOf(info));
  const saved = await helper.patch(info.namespace, info.name, isMerge ? 'merge' : 'strategic', patch, {
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
    subresource: options.subresource,
  });
  context.print((await options.printer('edited'))(saved));
}
