import type { Site } from "../site.ts";

const row = (cells: string[]): string =>
  `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
const mail = (name: string): string => `<a href="mailto:${name}@campus.test">Mail</a>`;

const STAFF = [
  ["Name", "Role", "Room", "Phone", "Contact"],
  ["Prof. Ada Byron", "Professor", "B-101", "+44 20 7946 0101", mail("byron")],
  ["Dr. Alan Turin", "Lecturer", "B-102", "+44 20 7946 0102", mail("turin")],
  ["Grace Hooper", "Lecturer", "C-201", "+44 20 7946 0103", mail("hooper")],
  ["Linus Thorwald", "Technician", "A-001", "", mail("thorwald")],
  ["Mary Lace", "Secretary", "A-002", "+44 20 7946 0105", mail("lace")],
];

/** A department's pages: a table without headings of its own, addresses in `mailto:` links only. */
export const CAMPUS: Site = {
  "http://campus.test/staff": {
    body: `<html><head><title>Staff directory</title><meta name="description" content="People of the department."></head><body><h1>Staff directory</h1><p>Our office is in building A. Office hours are Monday to Thursday, 10:00 to 15:00.</p><table border=1>${STAFF.map(row).join("")}</table><p>General enquiries: <a href="mailto:office@campus.test?subject=Hello">write to the office</a> or ring +44 20 7946 0100.</p></body></html>`,
  },
  "http://campus.test/courses": {
    body: `<html><head><title>Courses</title></head><body><h1>Courses</h1><h2>Autumn</h2><table><thead><tr><th>Code</th><th>Course</th><th>Teacher</th><th>Credits</th><th>Enrolled</th><th>Capacity</th></tr></thead><tbody>${[
      ["CS1", "Programming", "Alan Turin", "6", "120", "150"],
      ["CS2", "Algorithms", "Ada Byron", "8", "64", "80"],
      ["MA1", "Logic", "Ada Byron", "4", "90", "90"],
      ["CS3", "Compilers", "Grace Hooper", "8", "25", "40"],
    ]
      .map(row)
      .join(
        "",
      )}</tbody></table><h2>Links</h2><ul><li><a href="/staff">Staff</a></li><li><a href="/docs/handbook.pdf">Student handbook</a></li><li><a href="https://library.example/">Library</a></li></ul></body></html>`,
  },
};
