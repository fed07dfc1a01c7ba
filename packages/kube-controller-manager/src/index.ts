export * from './command.ts';
export * from './controller.ts';
export * from './controllers.ts';
export { signedByOne } from './manager-settings.ts';
export * from './settings.ts';
export * from './start-controllers.ts';
