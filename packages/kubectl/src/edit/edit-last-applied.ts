/** `apply edit-last-applied`: edits the last applied configurations. */
import type { KubeObject } from '@coxswain/apimachinery';
import { lastApplied, lastAppliedAnnotation } from '../apply/last-applied.ts';
import type { CommandContext } from '../context.ts';
import { toJson } from '../encoding/json.ts';
import { readValidation } from '../flags/dry-run.ts';
import type { PrintFlagValues } from '../flags/print.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import { mappingOf, objectOf } from '../resource/info.ts';
import { groupResourceOf } from '../mapping.ts';
import { select } from '../resource/select.ts';
import { IdentityChanged, runEditSession } from './session.ts';

export interface EditLastApplied extends PrintFlagValues {
  readonly filename: readonly string[];
  readonly kustomize: string;
  readonly recursive: boolean;
  readonly windowsLineEndings: boolean;
  readonly fieldManager: string;
  readonly validate: string;
}

export async function editLastAppliedConfiguration(
  context: CommandContext,
  args: readonly string[],
  flags: EditLastApplied,
): Promise<void> {
  const { namespace, explicit } = await context.namespace();
  const selected = await select(context, {
    args,
    filenames: flags.filename,
    kustomize: flags.kustomize,
    recursive: flags.recursive,
    namespace,
    requireNamespace: explicit,
    allowEmptySelector: true,
    latest: true,
    continueOnError: true,
  });
  readValidation(flags.validate);
  const { infos, failures } = await selected.collect();
  if (failures[0] !== undefined) throw failures[0];
  const held = infos.map((info) => ({ info, text: lastApplied(objectOf(info)) }));
  if (held.some(({ text }) => text === undefined)) {
    throw new Error(
      'no last-applied-configuration annotation found on resources, to create the annotation, use command `kubectl apply set-last-applied --create-annotation`',
    );
  }
  const print = await context.printer(flags, { operation: 'edited' });
  await runEditSession(context, {
    objects: held.map(({ text }) => JSON.parse(text ?? '') as KubeObject),
    json: flags.output === 'json',
    windowsLineEndings: flags.windowsLineEndings,
    subject: infos[0] === undefined ? 'object' : `${groupResourceOf(mappingOf(infos[0]))} "${infos[0].name}"`,
    async save(edited) {
      for (const object of edited) {
        const info = infos.find(({ name }) => name === object.metadata?.name);
        if (info === undefined) throw new IdentityChanged();
        const helper = new ResourceHelper(await context.client(), mappingOf(info));
        const patch = { metadata: { annotations: { [lastAppliedAnnotation]: `${toJson(object)}\n` } } };
        context.print(
          print(
            await helper.patch(info.namespace, info.name, 'merge', patch, {
              fieldManager: flags.fieldManager,
            }),
          ),
        );
      }
    },
  });
}
