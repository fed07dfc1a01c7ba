/** What a report is made of. */
import type { Finding } from './finding.ts';
import type { Manifest } from './manifest.ts';

export interface Report {
  readonly manifests: readonly Manifest[];
  readonly findings: readonly Finding[];
  /** Manifests of kinds that nobody knows, when these are ignored. */
  readonly passedOver: readonly Manifest[];
  readonly sourceCount: number;
}
