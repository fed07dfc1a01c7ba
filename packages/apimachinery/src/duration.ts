/** Defined in the schema package, whose decoder needs it. */
export * from '@coxswain/schema/scalars/duration.ts';
