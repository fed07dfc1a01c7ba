/** Validates a complete configuration with upstream's messages. */
import { parseDurationMs } from '@coxswain/apimachinery';
import { FieldPath } from '@coxswain/apimachinery/field-path.ts';
import { invalidError, type FieldError } from '@coxswain/apimachinery/field-error.ts';
import type { SchedulerConfiguration } from '../configuration.ts';
import { validateExtenders } from './extenders.ts';
import { validatePercentage, validateProfiles } from './profiles.ts';

export function validateConfiguration(
  configuration: SchedulerConfiguration,
  isFeatureOn: (gate: string) => boolean,
): readonly FieldError[] {
  const { parallelism = 0, profiles = [], extenders = [], percentageOfNodesToScore } = configuration;
  return [
    ...burstErrors(configuration.clientConnection),
    ...electionErrors(configuration.leaderElection),
    ...(parallelism > 0
      ? []
      : [invalidError('parallelism', parallelism, 'should be an integer value greater than zero')]),
    ...validateProfiles(profiles, isFeatureOn),
    ...validatePercentage(FieldPath.of('percentageOfNodesToScore'), percentageOfNodesToScore),
    ...backOffErrors(configuration),
    ...validateExtenders(extenders),
  ];
}

const burstErrors = ({ burst }: SchedulerConfiguration['clientConnection']): readonly FieldError[] =>
  burst < 0 ? [invalidError('clientConnection.burst', burst, 'must be non-negative')] : [];

function electionErrors(election: SchedulerConfiguration['leaderElection']): readonly FieldError[] {
  if (!election.leaderElect) return [];
  const path = FieldPath.of('leaderElection');
  const msOf = (text = '0s') => parseDurationMs(text);
  const { leaseDuration, renewDeadline, resourceLock } = election;
  const periods = ['leaseDuration', 'renewDeadline', 'retryPeriod'] as const;
  return [
    ...periods
      .filter((name) => msOf(election[name]) <= 0)
      .map((name) => invalidError(path.child(name), election[name], 'must be greater than zero')),
    ...(msOf(leaseDuration) > msOf(renewDeadline)
      ? []
      : [invalidError(path.child('leaseDuration'), renewDeadline, 'must be greater than `RenewDeadline`')]),
    ...(resourceLock === 'leases'
      ? []
      : [invalidError(path.child('resourceLock'), resourceLock, 'resourceLock value must be "leases"')]),
  ];
}

function backOffErrors({
  podInitialBackoffSeconds: initial = 0,
  podMaxBackoffSeconds: longest = 0,
}: SchedulerConfiguration): readonly FieldError[] {
  return [
    ...(initial > 0 ? [] : [invalidError('podInitialBackoffSeconds', initial, 'must be greater than 0')]),
    ...(longest >= initial
      ? []
      : [
          invalidError(
            'podMaxBackoffSeconds',
            longest,
            'must be greater than or equal to PodInitialBackoffSeconds',
          ),
        ]),
  ];
}
