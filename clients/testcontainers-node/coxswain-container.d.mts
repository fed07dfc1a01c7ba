import { AbstractStartedContainer, GenericContainer } from 'testcontainers';

/** @example const container = await new CoxswainContainer(image).withFlags('--nodes=2').start(); */
export declare class CoxswainContainer extends GenericContainer {
  constructor(image: string);
  /** With flags of `coxswain test-server`. */
  withFlags(...flags: string[]): this;
  start(): Promise<StartedCoxswainContainer>;
}

export declare class StartedCoxswainContainer extends AbstractStartedContainer {
  /** JSON, which is valid YAML, for any client outside the container. */
  kubeconfig(): Promise<string>;
}
