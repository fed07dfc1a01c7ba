/** The admission flags. */
import { int, section, string, stringSlice } from '@coxswain/cobra';

export const admissionFlags = section('Admission', {
  admissionControl: stringSlice({
    usage:
      'The admission plugins to run, and no others. Deprecated: use --enable-admission-plugins and --disable-admission-plugins.',
  }),
  admissionControlConfigFile: string({ usage: 'The file with the configuration of admission plugins.' }),
  defaultNotReadyTolerationSeconds: int({
    default: 300,
    usage: 'The default number of seconds that pods tolerate a node that is not ready.',
  }),
  defaultUnreachableTolerationSeconds: int({
    default: 300,
    usage: 'The default number of seconds that pods tolerate an unreachable node.',
  }),
  disableAdmissionPlugins: stringSlice({
    usage: 'Admission plugins to disable although they are on by default.',
  }),
  enableAdmissionPlugins: stringSlice({
    usage: 'Admission plugins to enable in addition to the default ones.',
  }),
});
