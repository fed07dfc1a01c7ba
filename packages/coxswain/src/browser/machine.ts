/** Replaces `cluster/machine.ts`: a page has no machine to manage. */
import type { Component } from '../components/components.ts';

export const mustBeOfThisAuthority = (): Promise<void> => Promise.resolve();

export const machineComponents = (): readonly Component[] => [];

export const certificateSettings = (): object => ({});

export const ownNodeName = (): string | undefined => undefined;
