/** The contents of a report. */
import type { Finding } from './finding.ts';
import type { Manifest } from './manifest.ts';

export interface Report {
  readonly manifests: readonly Manifest[];
  readonly findings: readonly Finding[];
  /** Manifests of unknown kinds, if these are ignored. */
  readonly passedOver: readonly Manifest[];
  readonly sourceCount: number;
}
