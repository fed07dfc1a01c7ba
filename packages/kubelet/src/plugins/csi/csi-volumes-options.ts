/** What volumes of CSI drivers need of the node. */
import type { Clock } from '@coxswain/apimachinery';
import type { KubeletFolders } from '../../pod-paths.ts';
import type { CsiFacts } from './csi-api.ts';
import type { RegisteredDrivers } from './registered-drivers.ts';

export interface CsiVolumesOptions {
  readonly folders: KubeletFolders;
  readonly drivers: RegisteredDrivers;
  readonly api: CsiFacts;
  readonly clock: Clock;
  /** Tells the API at once which volumes are in use. */
  readonly reportInUse: () => Promise<void>;
}
