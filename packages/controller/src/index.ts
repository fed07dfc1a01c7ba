/**
 * Controllers, webhooks and other building blocks of operators.
 * @module @coxswain/controller
 */

export * from './cache.ts';
export * from './controller.ts';
export { controller } from './run-controller.ts';
export * from './create-or-update.ts';
export * from './finalizers.ts';
export * from './health-checks.ts';
export * from './manager.ts';
export * from './owner-references.ts';
export * from './predicates.ts';
export * from './request.ts';
export * from './terminal-error.ts';
export * from './webhook/admission.ts';
export * from './webhook/configurations.ts';
export * from './webhook/conversion.ts';
export * from './webhook/json-patch-between.ts';
