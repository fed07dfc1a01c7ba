import { labelSelectorSpecFromText } from '@coxswain/apimachinery/label-selector-text.ts';
import { string } from '@coxswain/cobra';
import { command, nameFromArguments } from '../../command.ts';
import { createFlags, creating, filled, targets } from './create-object.ts';

export const poddisruptionbudget = command({
  use: 'poddisruptionbudget NAME --selector=SELECTOR --min-available=N [--dry-run=server|client|none]',
  aliases: ['pdb'],
  long: 'Create a pod disruption budget, which limits how many pods may be evicted at a time.',
  example: `  # At least one stays
  kubectl create poddisruptionbudget web --selector=app=web --min-available=1

  # At most half may go
  kubectl create pdb web --selector=app=web --max-unavailable=50%`,
  disableFlagsInUseLine: true,
  flags: {
    ...createFlags,
    minAvailable: string({ usage: 'The minimum number or percentage of pods that must remain available.' }),
    maxUnavailable: string({ usage: 'The maximum number or percentage of pods that may be unavailable.' }),
    selector: string({ usage: 'Label selector to filter pods on the node.' }),
  },
  async run(invocation) {
    const { flags } = invocation;
    const name = nameFromArguments(invocation);
    const create = await creating(invocation, flags, name);
    check(flags);
    const spec = filled({ ...labelSelectorSpecFromText(flags.selector) } as Record<string, unknown>);
    await create({
      target: targets.podDisruptionBudget,
      name,
      fields: {
        spec: {
          ...(flags.minAvailable === '' ? {} : { minAvailable: numberOrPercentage(flags.minAvailable) }),
          selector: spec,
          ...(flags.maxUnavailable === ''
            ? {}
            : { maxUnavailable: numberOrPercentage(flags.maxUnavailable) }),
        },
        status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
      },
      failure: 'failed to create poddisruptionbudgets: ',
    });
  },
});

const numberOrPercentage = (text: string): number | string => (/^-?\d+$/.test(text) ? Number(text) : text);

function check({
  selector,
  minAvailable,
  maxUnavailable,
}: {
  selector: string;
  minAvailable: string;
  maxUnavailable: string;
}): void {
  if (selector === '') throw new Error('a selector must be specified');
  if (minAvailable === '' && maxUnavailable === '') {
    throw new Error('one of min-available or max-unavailable must be specified');
  }
  if (minAvailable !== '' && maxUnavailable !== '') {
    throw new Error('min-available and max-unavailable cannot be both specified');
  }
  if (minAvailable !== '' && !/^[0-9]+%?$/.test(minAvailable))
    throw new Error('invalid format specified for min-available');
  if (maxUnavailable !== '' && !/^[0-9]+%?$/.test(maxUnavailable)) {
    throw new Error('invalid format specified for max-unavailable');
  }
}
