/** `create --edit`: edits the objects in files before creating them. */
import type { CommandContext } from '../context.ts';
import { withConfiguration } from '../apply/last-applied.ts';
import { parseApiVersion, type KubeObject } from '@coxswain/apimachinery';
import type { Printer } from '../printers/printer.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import { objectOf } from '../resource/info.ts';
import { select } from '../resource/select.ts';
import { runEditSession } from './session.ts';

export interface EditBeforeCreate {
  readonly filename: readonly string[];
  readonly recursive: boolean;
  readonly output: string;
  readonly windowsLineEndings: boolean;
  readonly saveConfig: boolean;
  readonly fieldManager: string;
}

export async function editBeforeCreate(
  context: CommandContext,
  flags: EditBeforeCreate,
  print: Printer,
): Promise<void> {
  const { namespace, explicit } = await context.namespace();
  const selected = await select(context, {
    filenames: flags.filename,
    recursive: flags.recursive,
    namespace,
    requireNamespace: explicit,
  });
  const { infos, failures } = await selected.collect();
  if (failures[0] !== undefined) throw failures[0];
  const save = async (objects: readonly KubeObject[]) => {
    for (const object of objects) {
      const { group, version } = parseApiVersion(object.apiVersion ?? '');
      const mapping = await (await context.mapper()).forKind(group, object.kind ?? '', version);
      const helper = new ResourceHelper(await context.client(), mapping);
      const place = mapping.namespaced ? (object.metadata.namespace ?? namespace) : '';
      const created = await helper.create(place, flags.saveConfig ? withConfiguration(object) : object, {
        fieldManager: flags.fieldManager,
      });
      context.print(print(created));
    }
  };
  await runEditSession(context, {
    objects: infos.map(objectOf),
    json: flags.output === 'json',
    windowsLineEndings: flags.windowsLineEndings,
    subject: infos[0] === undefined ? 'object' : `"${infos[0].name}"`,
    save,
  });
}
