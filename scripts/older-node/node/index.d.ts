/** For `older-node.tsconfig.json`: what compilers take for the types of Node. */
/// <reference types="node-20-types" />
