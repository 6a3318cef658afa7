/**
 * Unpacks the Chromium that npm installed into this process's temporary folder, which is where its
 * package puts it. Run as a process of its own: the package changes the environment of its own.
 */
import chromium from "@sparticuz/chromium";

await chromium.executablePath();
