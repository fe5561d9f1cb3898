/* global Scalar */

/** The `type` of a problem document links to `#error-<code>`. Scalar has other addresses for headings. */
const showError = () => {
  const [, code] = /^#error-(\w+)$/.exec(location.hash) ?? []
  if (code) location.replace(`#description/${code.replaceAll('_', '-')}`)
}

/** Scalar sends every parameter that has an example. A test request starts with the required ones alone. */
const disableOptionalParameters = ({ paths }) => {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters))
    if (!parameter.required) {
      parameter.examples = { default: { value: parameter.example, 'x-disabled': true } }
      delete parameter.example
    }
}

/** The colors of the theme have too little contrast for small text (WCAG 2.2, 1.4.3). */
const customCss = `
.light-mode {
  --scalar-color-2: #5c5c5c;
  --scalar-color-3: #666666;
  --scalar-color-green: #00704a;
  --scalar-color-blue: #0067a6;
  --scalar-color-yellow: #7d5c00;
  --scalar-color-orange: #a84a00;
  --scalar-color-red: #c8000a;
}
.dark-mode {
  --scalar-color-3: #9a9a9a;
  --scalar-color-red: #ff7370;
}`

const response = await fetch('api-docs')
const content = await response.json()
disableOptionalParameters(content)
showError()
addEventListener('hashchange', showError)

Scalar.createApiReference('#reference', {
  content,
  customCss,
  // The file would have the changes above; the introduction links to the document.
  documentDownloadType: 'none',
  // Nothing is requested from the vendor, and nothing is sent to it.
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
})
