import type * as core from '@coxswain/api/core/v1/index.ts';
import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { LabelSelectorSpec } from '@coxswain/apimachinery/label-selector.ts';
import { labelSelectorSpecFromText } from '@coxswain/apimachinery/label-selector-text.ts';
import { bool, string } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { recordFlag } from '../../flags/object-flags.ts';
import { changeOneByOne, setFlags } from './change-objects.ts';

const { kustomize: _kustomize, ...flags } = setFlags;

type Service = Live<core.Service>;

export const selector = command({
  use: 'selector (-f FILENAME | TYPE NAME) EXPRESSIONS [--resource-version=version]',
  long: 'Set the selector of a service. The existing selector is replaced.',
  example: `  # Pods of the web
  kubectl set selector service web app=web,tier=front`,
  disableFlagsInUseLine: true,
  flags: {
    ...flags,
    ...recordFlag,
    recursive: bool({
      shorthand: 'R',
      default: true,
      usage: 'Process the directories given with -f, --filename recursively.',
    }),
    resourceVersion: string({
      usage:
        'Update only if the current resource version of the object is this one. Only for a single object.',
    }),
  },
  async run({ context, args, flags: given }) {
    const expression = args.at(-1);
    if (expression === undefined) throw new Error('one selector is required');
    const wanted = labelSelectorSpecFromText(expression);
    await changeOneByOne(context, given, args.slice(0, -1), {
      operation: 'selector updated',
      failure: '',
      refusesLocalNames: true,
      writesUnchanged: true,
      change(object) {
        if (object.kind !== 'Service') throw new Error('setting a selector is only supported for Services');
        requirePairs(wanted);
        const { spec } = object as Service;
        const version = given.resourceVersion === '' ? {} : { resourceVersion: given.resourceVersion };
        return {
          ...object,
          metadata: { ...object.metadata, ...version },
          spec: { ...spec, selector: wanted.matchLabels },
        } as KubeObject;
      },
    });
  },
});

/** @throws Error for a selector that a service doesn't support */
function requirePairs({ matchExpressions = [] }: LabelSelectorSpec): void {
  if (matchExpressions.length === 0) return;
  const reported = matchExpressions.map(
    ({ key, operator, values = [] }) => `{${key} ${operator} [${values.join(' ')}]}`,
  );
  throw new Error(`match expression [${reported.join(' ')}] not supported on this object`);
}
