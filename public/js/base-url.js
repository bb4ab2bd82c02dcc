// The root of this server, which may be a path below a proxy's.

/** The server of these files, with a slash at the end: modules are in `js`, or in a version of it. */
export const BASE_URL = import.meta.url.replace(/(static\/[^/]+\/)?js\/[^/]*$/, "");

/**
 * The URL of something on this server.
 * @param {string} path such as `/v1/events`
 */
export const urlFor = (path) => BASE_URL + path.replace(/^\//, "");
