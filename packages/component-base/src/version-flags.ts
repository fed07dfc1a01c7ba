/** The flags of every program that can emulate another version of Kubernetes. */
import { stringSlice } from '@coxswain/cobra';

export const emulatedVersionFlag = stringSlice({
  usage: 'The version of Kubernetes to behave as, back to three minor versions before this one: 1.34.',
});

export const minCompatibilityVersionFlag = stringSlice({
  usage:
    'The oldest version of the other control plane components, at most the emulated one. The version before the emulated one if not set.',
});
