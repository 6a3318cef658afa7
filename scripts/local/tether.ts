/**
 * Loaded into the dev server before anything else: it ends its whole process group when the process
 * that started it is gone, however that one ended. Otherwise a killed start would leave a server that
 * holds the port and the databases.
 */
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));
