/** Selects the running clusters that a command applies to. */

import { string } from '@coxswain/cobra';

export const dataDirFlag = string({
  usage: 'The data directory of the cluster. Defaults to all running clusters.',
});
