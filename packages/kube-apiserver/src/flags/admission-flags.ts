/** What looks at writes before they are stored. */
import { int, section, string, stringSlice } from '@coxswain/cobra';

export const admissionFlags = section('Admission', {
  admissionControl: stringSlice({
    usage:
      'Plugins to run, and no others. Deprecated: --enable-admission-plugins, --disable-admission-plugins.',
  }),
  admissionControlConfigFile: string({ usage: 'The file with the configuration of single plugins.' }),
  defaultNotReadyTolerationSeconds: int({
    default: 300,
    usage: 'How long pods stay on a node that is not ready.',
  }),
  defaultUnreachableTolerationSeconds: int({
    default: 300,
    usage: 'How long pods stay on a node that can’t be reached.',
  }),
  disableAdmissionPlugins: stringSlice({ usage: 'Plugins to switch off although they are on by default.' }),
  enableAdmissionPlugins: stringSlice({
    usage: 'Plugins to switch on besides those that are on by default.',
  }),
});
