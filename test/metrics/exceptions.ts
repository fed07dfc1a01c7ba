/**
 * Promised metrics that are not seen by the test, and why. The scheduler's `workqueue_*` are not in the table: the
 * original's queues there reload certificates and authorities, and ours has none for that.
 */
export const exceptions: Readonly<Record<string, string>> = {
  apiserver_flowcontrol_rejected_requests_total:
    'needs a server that is overloaded; see priority-and-fairness.test.ts',
  apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds:
    'the file is read again once a minute; see jwt-authenticators.test.ts',
  apiserver_authentication_config_controller_automatic_reloads_total:
    'the file is read again once a minute; see jwt-authenticators.test.ts',
  apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds:
    'the file is read again once a minute; see load-authorization.test.ts',
  apiserver_authorization_config_controller_automatic_reloads_total:
    'the file is read again once a minute; see load-authorization.test.ts',
  scheduler_permit_wait_duration_seconds: 'no plugin of the default profile lets a pod wait',
};

/** Programs that have no `/metrics` yet, so that all that they promise is missing. */
export const silentPrograms: ReadonlySet<string> = new Set(['kubelet']);
