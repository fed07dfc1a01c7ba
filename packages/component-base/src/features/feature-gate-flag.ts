import { flagOf } from '@coxswain/cobra';
import { featureGateHelp } from './feature-gates.ts';

/** `name=bool` pairs, each optionally preceded by a component: `kube:AllAlpha=true`. */
const pairs = flagOf<readonly string[]>(
  {
    typeName: 'colonSeparatedMultimapStringString',
    read: (text, previous, changed) => (changed ? [...previous, text] : [text]),
    show: (values) => values.join(','),
  },
  [],
);

/** `--feature-gates`, the same in every program of the cluster. */
export const featureGateFlag = pairs({
  get usage() {
    return `Pairs name=bool that switch features on and off:\n${featureGateHelp().join('\n')}`;
  },
});
