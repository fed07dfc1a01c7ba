import type { KindRef } from '@coxswain/client';

/**
 * Says something, in a ConfigMap of its name.
 * @crd example.com/v1
 * @column Text string .spec.text
 * @column Ready boolean .status.ready
 */
export interface Greeting {
  apiVersion: 'example.com/v1';
  kind: 'Greeting';
  metadata: { name: string; namespace: string; uid: string };
  spec: {
    /**
     * What is said.
     * @minLength 1
     * @maxLength 1000
     */
    text: string;
    /**
     * How often.
     * @integer
     * @minimum 1
     * @maximum 10
     * @default 1
     */
    times?: number;
  };
  status?: { ready?: boolean };
}

export const Greeting: KindRef<Greeting> = {
  apiVersion: 'example.com/v1',
  kind: 'Greeting',
  names: { plural: 'greetings', namespaced: true },
};
