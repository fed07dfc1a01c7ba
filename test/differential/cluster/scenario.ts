/** A scenario in the format of the cluster oracle: what is asked, waited for and looked at, in order. */

/** JSON as it goes over the wire. */
export type Json =
  | null
  | boolean
  | number
  | string
  | Json[]
  | { readonly [member: string]: Json | undefined };

export type JsonObject = Readonly<Record<string, Json | undefined>>;

export interface NodeSpec {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: Json;
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly capacity?: Readonly<Record<string, string>>;
  readonly images?: Json;
  readonly spec?: JsonObject;
  readonly conditions?: Json;
  readonly ready?: boolean;
  /** Whether its lease is renewed; without, it is. */
  readonly beat?: boolean;
}

export interface Expectation {
  readonly get: string;
  /** Conditions of the oracle's path language, or `gone`. */
  readonly where?: string | readonly string[];
}

export interface View {
  readonly get: string;
  readonly pick?: readonly string[];
  readonly drop?: readonly string[];
  readonly keepRootCA?: boolean;
}

export interface EventFilter {
  readonly ns?: string;
  readonly kinds?: readonly string[];
  readonly names?: readonly string[];
  readonly reasons?: readonly string[];
}

export interface PodAction {
  readonly selector?: string;
  readonly do: string;
  readonly count?: number;
  readonly terminating?: boolean;
  readonly any?: boolean;
  /** Whether fewer pods, or none, will do; waits for none. */
  readonly optional?: boolean;
  readonly ns?: string;
  readonly timeoutMs?: number;
}

export interface Step {
  readonly name?: string;
  readonly req?: string;
  readonly body?: Json;
  readonly type?: string;
  readonly as?: string;
  readonly impersonate?: { readonly user: string; readonly groups?: readonly string[] };
  readonly full?: boolean;
  readonly settle?: {
    readonly until?: readonly Expectation[];
    readonly timeoutMs?: number;
    readonly quietMs?: number;
  };
  readonly snapshot?: readonly (string | View)[];
  /** How long two readings lie apart that must agree before they count, in milliseconds; 500 without. */
  readonly every?: number;
  /** How long a snapshot may wait for that, in milliseconds. */
  readonly stableMs?: number;
  readonly events?: true | EventFilter;
  readonly pods?: PodAction;
  readonly node?: JsonObject & { readonly name: string };
  readonly addNode?: NodeSpec;
  readonly removeNode?: string;
  /** Milliseconds. */
  readonly wait?: number;
}

export interface Scenario {
  readonly name: string;
  /** Exactly these nodes are there meanwhile, and nothing else runs; without, three roomy ones are shared. */
  readonly nodes?: readonly NodeSpec[];
  /** Names of nodes are told even though the scenario has none of its own. */
  readonly nodeNames?: boolean;
  /** No namespace is made for it. */
  readonly cluster?: boolean;
  /** Not at the same time as others. */
  readonly alone?: boolean;
  readonly nsLabels?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

/** A scenario that has no name yet. */
export type Story = Omit<Scenario, 'name'>;

/** What was seen at one step. */
export interface Seen {
  readonly step: string;
  readonly [what: string]: Json | undefined;
}
