/** What CSI volumes need from the node. */
import type { Clock } from '@coxswain/apimachinery';
import type { KubeletDirectories } from '../../pod-paths.ts';
import type { CsiFacts } from './csi-api.ts';
import type { RegisteredDrivers } from './registered-drivers.ts';

export interface CsiVolumesOptions {
  readonly directories: KubeletDirectories;
  readonly drivers: RegisteredDrivers;
  readonly api: CsiFacts;
  readonly clock: Clock;
  /** Reports the volumes in use to the API at once. */
  readonly reportInUse: () => Promise<void>;
}
