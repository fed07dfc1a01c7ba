import type { KubeObject } from '@coxswain/apimachinery';
import { holdsSecrets, withoutSecretValues } from '@coxswain/api/core/secret-values.ts';
import { command } from '../command.ts';
import { completeTypesAndNames } from '../completion/resources.ts';
import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import { blamedLines } from '@coxswain/client/history/blamed-lines.ts';
import type { FieldOwner } from '@coxswain/client/history/field-owners.ts';
import { mappingOf, objectOf } from '../resource/info.ts';
import { select } from '../resource/select.ts';

export const blame = command({
  use: 'blame (TYPE NAME | TYPE/NAME)',
  long: `Show an object as YAML, annotated with who last wrote each line, and when.

 The information comes from metadata.managedFields. If a field has several managers, their number is shown; fields without a manager were written by the server. The values of Secrets are hidden.`,
  example: `  # Who set the replicas?
  kubectl blame deployment web`,
  disableFlagsInUseLine: true,
  complete: completeTypesAndNames,
  async run({ context, args }) {
    const { namespace, explicit } = await context.namespace();
    const selected = await select(context, { args, namespace, requireNamespace: explicit, latest: true });
    let isFirst = true;
    await selected.each(async (info) => {
      const object = objectOf(info);
      const shown = holdsSecrets(mappingOf(info)) ? withoutSecretValues(object) : object;
      context.print(`${isFirst ? '' : '---\n'}${blameText(shown, context.clock.now())}`);
      isFirst = false;
    });
  },
});

export function blameText(object: KubeObject, nowMs: number): string {
  const lines = blamedLines(object).map(({ text, owners }) => {
    const [latest] = owners;
    return {
      text,
      manager: latest === undefined ? '' : `${managerText(latest)}${moreText(owners)}`,
      age: latest === undefined || latest.timeMs === 0 ? '' : humanDuration(nowMs - latest.timeMs),
    };
  });
  const managerWidth = Math.max(...lines.map(({ manager }) => manager.length));
  const ageWidth = Math.max(...lines.map(({ age }) => age.length));
  return lines
    .map(({ text, manager, age }) => `${manager.padEnd(managerWidth)}  ${age.padStart(ageWidth)} | ${text}\n`)
    .join('');
}

const managerText = ({ manager, operation, subresource }: FieldOwner): string =>
  `${manager} (${operation}${subresource === '' ? '' : ` ${subresource}`})`;

const moreText = (owners: readonly FieldOwner[]): string =>
  owners.length > 1 ? ` +${owners.length - 1}` : '';
