import type { KubeObject } from '@coxswain/apimachinery';
import { bool, string } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { recordFlag } from '../../flags/shared.ts';
import { changeObjects, setFlags } from './shared.ts';

const { kustomize: _kustomize, ...flags } = setFlags;

interface Service extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
}

export const selector = command({
  use: 'selector (-f FILENAME | TYPE NAME) EXPRESSIONS [--resource-version=version]',
  long: 'Set the selector of a service. The one that was there is replaced.',
  example: `  # Pods of the web
  kubectl set selector service web app=web,tier=front`,
  disableFlagsInUseLine: true,
  flags: {
    ...flags,
    ...recordFlag,
    recursive: bool({
      shorthand: 'R',
      default: true,
      usage: 'Read the directories of -f with all below them.',
    }),
    resourceVersion: string({ usage: 'Only if the object is still of this version; for a single object.' }),
  },
  async run({ context, args, flags: given }) {
    const expression = args.at(-1);
    if (expression === undefined)
      throw new Error('one or more resources must be specified as <resource> <name> or <resource>/<name>');
    const wanted = readPairs(expression);
    await changeObjects(context, given, args.slice(0, -1), {
      operation: 'selector updated',
      failure: '',
      change(object) {
        if (object.kind !== 'Service') throw new Error('setting a selector is only supported for Services');
        const { spec } = object as Service;
        const version = given.resourceVersion === '' ? {} : { resourceVersion: given.resourceVersion };
        return {
          ...object,
          metadata: { ...object.metadata, ...version },
          spec: { ...spec, selector: wanted },
        } as KubeObject;
      },
    });
  },
});

function readPairs(expression: string): Record<string, string> {
  const set = /^\s*([\w./-]+)\s+(in|notin)\s+\(([^)]*)\)\s*$/.exec(expression);
  if (set !== null) {
    const [, key = '', operator = '', values = ''] = set;
    const list = values.split(',').map((value) => value.trim());
    throw new Error(
      `match expression [{${key} ${operator === 'in' ? 'In' : 'NotIn'} [${list.join(' ')}]}] not supported on this object`,
    );
  }
  return Object.fromEntries(
    expression.split(',').map((pair) => {
      const match = /^\s*([^=!\s]+)\s*==?\s*([^=\s]*)\s*$/.exec(pair);
      if (match === null) throw new Error(`couldn't parse the selector string "${expression}"`);
      return [match[1] as string, match[2] as string];
    }),
  );
}
