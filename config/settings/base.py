"""Settings of every shape. Each one that a deployment may set is read here, once.

Nothing here reads a file with secrets: `make run` exports its `.env` itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import django_stubs_ext
import structlog
from csp.constants import NONCE, NONE, SELF
from django.utils.translation import gettext_lazy as _

from config.env import ROOT, env

# Admin classes and paginators name the model that they are about.
django_stubs_ext.monkeypatch()

SECRET_KEY = env.str("DJANGO_SECRET_KEY")
DEBUG = False
ALLOWED_HOSTS: list[str] = env.list("DJANGO_ALLOWED_HOSTS", default=["127.0.0.1"])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("DJANGO_CSRF_TRUSTED_ORIGINS", default=[])
# A deployment is served over HTTPS; a local trial says so when it is not.
SECURE = env.bool("DJANGO_SECURE", default=True)
DATA_DIR = Path(env.str("DIALOGUE_DATA_DIR", default=str(ROOT / ".local")))
DATABASE_URL = env.str("DATABASE_URL", default="")
REDIS_URL = env.str("REDIS_URL", default="")
# Embedded: everything in the server's process. Grown: PostgreSQL, Redis, workers.
GROWN = bool(DATABASE_URL and REDIS_URL)

# --- Dialogue -----------------------------------------------------------------
# The deployment switch of the write and propose tiers (the product documents'
# Dialogue:InProcessTools:WriteEnabled). The environment only, never a database.
WRITE_TOOLS_SERVED = env.bool("DIALOGUE_INPROCESSTOOLS_WRITEENABLED", default=False)
PLANNER_DELAY_MS = env.int("DIALOGUE_PLANNER_DELAY_MS", default=12)
# A model for everybody, without a row: see docs/operations.md.
LLM_KIND = env.str("DIALOGUE_LLM_KIND", default="")
LLM_BASE_URL = env.str("DIALOGUE_LLM_BASE_URL", default="")
LLM_MODEL = env.str("DIALOGUE_LLM_MODEL", default="")
LLM_API_KEY_ENV = "DIALOGUE_LLM_API_KEY"
TURN_LEASE_SECONDS = env.int("DIALOGUE_TURN_LEASE_SECONDS", default=45)
TURN_HEARTBEAT_SECONDS = env.float("DIALOGUE_TURN_HEARTBEAT_SECONDS", default=5.0)
TURN_MAX_STEPS = env.int("DIALOGUE_TURN_MAX_STEPS", default=8)
TURN_CONCURRENCY = env.int("DIALOGUE_TURN_CONCURRENCY", default=512)
TURN_MAX_SECONDS = env.int("DIALOGUE_TURN_MAX_SECONDS", default=300)
SWEEP_SECONDS = env.float("DIALOGUE_SWEEP_SECONDS", default=15.0)
PROPOSALS_PER_TURN = env.int("DIALOGUE_PROPOSALS_PER_TURN", default=3)
OPEN_PROPOSALS_PER_CONVERSATION = env.int(
    "DIALOGUE_OPEN_PROPOSALS_PER_CONVERSATION", default=20
)
TOOL_CALLS_PER_ANSWER = env.int("DIALOGUE_TOOL_CALLS_PER_ANSWER", default=25)
WRITES_PER_TURN = env.int("DIALOGUE_WRITES_PER_TURN", default=10)
REQUEST_EXPIRY_DAYS = env.int("DIALOGUE_REQUEST_EXPIRY_DAYS", default=90)
WINDOW_TOKENS = env.int("DIALOGUE_WINDOW_TOKENS", default=24_000)
WINDOW_KEEP_TOKENS = env.int("DIALOGUE_WINDOW_KEEP_TOKENS", default=6_000)
STREAM_PING_SECONDS = 15.0
MESSAGE_MAX_CHARS = 100_000

# --- Applications ---------------------------------------------------------------
INSTALLED_APPS = [
    "missions",
    "decisions",
    "dialogue",
    "tooling",
    "config.admin.DialogueAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_structlog",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "tooling.web.middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "tooling.web.middleware.UserPreferencesMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "tooling.web.second_factor.SecondFactorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "tooling.web.middleware.OneThreadMiddleware",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "tooling.web.context.shell",
            ],
        },
    },
]

# --- Data ----------------------------------------------------------------------
DATABASES: dict[str, dict[str, Any]]
if DATABASE_URL:
    DATABASES = {"default": env.db_url_config(DATABASE_URL)}
    if DATABASES["default"]["ENGINE"].endswith("postgresql"):
        # Persistent connections leak under ASGI; the driver's pool does not.
        DATABASES["default"]["CONN_MAX_AGE"] = 0
        DATABASES["default"]["OPTIONS"] = {
            "pool": {
                "min_size": 1,
                "max_size": env.int("DIALOGUE_DB_POOL", default=16),
                "timeout": 10,
            }
        }
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": DATA_DIR / "dialogue.sqlite3",
            "OPTIONS": {
                # Deferred transactions fail at once on upgrade, whatever the timeout.
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": (
                    "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;"
                    "PRAGMA temp_store=MEMORY;PRAGMA cache_size=-16000;"
                ),
            },
        }
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES: dict[str, dict[str, Any]] = {
    "default": (
        {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": {"socket_timeout": 2, "socket_connect_timeout": 1.5},
        }
        if REDIS_URL
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    )
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500

# --- People ----------------------------------------------------------------------
AUTH_USER_MODEL = "tooling.User"
AUTHENTICATION_BACKENDS = [
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
_VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_VALIDATION}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{_VALIDATION}.CommonPasswordValidator"},
    {"NAME": f"{_VALIDATION}.NumericPasswordValidator"},
]
ACCOUNT_ADAPTER = "tooling.web.accounts.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_NOTIFICATIONS = False
# No mail to people who have no account: nobody could sign up by it.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_CHANGE_EMAIL = False
MFA_REQUIRED = env.bool("DIALOGUE_MFA_REQUIRED", default=GROWN)
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
EMAIL_BACKEND = env.str("DJANGO_EMAIL_BACKEND", default=EMAIL_CONFIG["EMAIL_BACKEND"])
EMAIL_HOST = EMAIL_CONFIG.get("EMAIL_HOST", "localhost")
EMAIL_PORT = EMAIL_CONFIG.get("EMAIL_PORT", 25)
EMAIL_HOST_USER = EMAIL_CONFIG.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = EMAIL_CONFIG.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = EMAIL_CONFIG.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = EMAIL_CONFIG.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("DJANGO_FROM_EMAIL", default="dialogue@localhost")

# --- Language and time ------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("fr", _("French"))]
LOCALE_PATHS = [ROOT / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- Web ---------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
    },
}
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "manifest-src": [SELF],
    }
}
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 14 * 24 * 3600
SECURE_SSL_REDIRECT = SECURE
SECURE_HSTS_SECONDS = env.int("DJANGO_HSTS_SECONDS", default=3600 if SECURE else 0)
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https")
    if env.bool("DJANGO_BEHIND_PROXY", default=False)
    else None
)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "tooling.web.errors.csrf_failure"

# --- REST --------------------------------------------------------------------------
REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tooling.api.authentication.PersonalTokenAuthentication",
        "tooling.api.authentication.TenantSessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["tooling.api.parsers.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "tooling.api.errors.exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Dialogue API",
    "DESCRIPTION": "Conversations, proposals, decisions and Missions.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    # Choices stay where they are used: many things have a `state` or a `status`.
    "POSTPROCESSING_HOOKS": ["dialogue.api.schema.describe_stream"],
}

# --- Queue: only ever a hint ---------------------------------------------------------
CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_SOFT_TIME_LIMIT = 120
CELERY_TASK_TIME_LIMIT = 180
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 10
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {
        "visibility_timeout": 600,
        "unacked_restore_interval": 5,
        "socket_timeout": 3,
        "socket_connect_timeout": 1.5,
        "socket_keepalive": True,
    }
    if REDIS_URL
    else {"polling_interval": 0.005}
)

# --- Logs ----------------------------------------------------------------------------
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"secrets": {"()": "tooling.redaction.SecretsFilter"}},
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["secrets"],
        },
    },
    "root": {
        "handlers": ["console"],
        "level": env.str("DJANGO_LOG_LEVEL", default="INFO"),
    },
    "loggers": {
        "django_structlog": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},
        "httpx": {"level": "WARNING"},
    },
}
# By way of the standard library, or its lines would pass the filter of secrets by.
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        structlog.contextvars.merge_contextvars,
        structlog.processors.format_exc_info,
        structlog.processors.KeyValueRenderer(key_order=["event"]),
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)
SILENCED_SYSTEM_CHECKS: list[str] = []
