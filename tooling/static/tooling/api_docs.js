"use strict";

// Swagger's page without anything from elsewhere: no validator badge, no fonts.
(() => {
  const place = document.getElementById("api");

  const csrfToken = () => {
    const found = document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/);
    return found ? decodeURIComponent(found[1]) : "";
  };

  window.SwaggerUIBundle({
    url: place.dataset.schema,
    domNode: place,
    presets: [window.SwaggerUIBundle.presets.apis],
    layout: "BaseLayout",
    deepLinking: true,
    docExpansion: "list",
    validatorUrl: null,
    requestInterceptor: (request) => {
      if (request.method && request.method !== "GET") {
        request.headers["X-CSRFToken"] = csrfToken();
      }
      return request;
    },
  });
})();
