// Where this server has its root: under a proxy that may be a path of another's.

/** The server that these files came from, with a slash at the end: modules lie in `js`, or in a version of it. */
export const ROOT = import.meta.url.replace(/(static\/[^/]+\/)?js\/[^/]*$/, "");

/**
 * The address of something on this server.
 * @param {string} path such as `/v1/events`
 */
export const addressOf = (path) => ROOT + path.replace(/^\//, "");
