package page

// Short writes a figure as the page does, for tests of the page in a browser.
var Short = short
